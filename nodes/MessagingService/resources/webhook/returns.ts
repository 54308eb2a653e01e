import { flag, text, type Returns } from '../../returns/fields';

export const webhookReturns: Record<string, Returns> = {
	set: { fields: { url: text('https://n8n.example.com/webhook/events'), success: flag(true) } },
	remove: { fields: { deleted: flag(true) } },
};
