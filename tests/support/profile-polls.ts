import { expect } from 'vitest';
import { note } from './profile.ts';

// A setup file of `npm test -- --profile`: records how long each `expect.poll` took to pass.
const poll = expect.poll;
expect.poll = ((read: (...args: never[]) => unknown, options?: object) => {
  let began: number | undefined;
  let counted = 0;
  const measured = (...args: never[]) => {
    const now = performance.now();
    began ??= now;
    note('poll', now - began - counted);
    counted = now - began;
    return read(...args);
  };
  return poll(measured as never, options);
}) as typeof poll;
