import { startMailbox, type MailboxOptions } from './server.ts';

// Runs the mailbox in its own process. Options: JSON in the first argument.
const mailbox = await startMailbox(JSON.parse(process.argv[2] ?? '') as MailboxOptions);

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => void mailbox.close().finally(() => process.exit(0)));
}
