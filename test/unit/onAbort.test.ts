import { onAbort } from '../../nodes/MessagingService/transport/onAbort';

test('all that wait for a signal are called once, and those that ended their wait are not', () => {
	const controller = new AbortController();
	const add = jest.spyOn(controller.signal, 'addEventListener');
	const calls = Array.from({ length: 50 }, () => jest.fn());
	const ends = calls.map((call) => onAbort(controller.signal, call));
	ends[7]?.();
	controller.abort();
	calls.forEach((call, index) => expect(call).toHaveBeenCalledTimes(index === 7 ? 0 : 1));
	expect(add).toHaveBeenCalledTimes(1);
});

test('who comes after the end is called immediately', () => {
	const call = jest.fn();
	onAbort(AbortSignal.abort(), call);
	expect(call).toHaveBeenCalledTimes(1);
});
