/** The helpers of the end-to-end tests talk to the queue mode stand in these tests. */
process.env.E2E_HOST = process.env.QUEUE_HOST;
