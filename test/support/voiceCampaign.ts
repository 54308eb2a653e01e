/** A voice campaign that the sandbox accepts; parts of it can be replaced. */
export const voiceBody = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
	name: 'Reminder',
	startDate: '2999-01-10',
	startTime: '09:00',
	finishTime: '17:00',
	callflow_Id: 301,
	defaultCli_Id: 401,
	answerMachineDetected: 0,
	smsOnBusy: 0,
	phoneNumbers: [{ number: '+447700900123' }],
	...change,
});

/** A voice campaign that the node accepts, without its operation and its recipients. */
export const voiceParameters = {
	resource: 'voiceCampaign',
	name: 'May',
	startDate: '2099-05-17',
	startTime: '09:30',
	finishTime: '17:00',
	callflow_Id: '301',
	defaultCli_Id: '401',
	cli_Id: '401',
	answerMachineDetected: 0,
	smsOnBusy: 0,
};
