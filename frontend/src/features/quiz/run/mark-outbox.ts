import { mayPass } from '#lib/api-error.ts';
import { startWait, waitAfter } from './retry-schedule.ts';
import { forgetMark, keepMark, type Owner, readUnsent } from './unsent-answers.ts';

type Send = (uuid: string, marked: boolean) => Promise<unknown>;

/**
 * The marks of a quiz and their way to the service, as with its answers: kept until confirmed, one
 * call at a time, sent again by the schedule. Of a question the last one counts, whichever tab made
 * it. What is refused for good is given up.
 */
export function createMarkOutbox(owner: Owner, random = Math.random) {
  let send: Send | undefined;
  let running = false;
  let wait: ReturnType<typeof startWait> | undefined;

  async function deliver() {
    if (running) return;
    running = true;
    let failures = 0;
    for (;;) {
      const [next] = Object.entries(readUnsent(owner).marks);
      if (!send || !next) break;
      try {
        await send(...next);
        forgetMark(owner, ...next);
        failures = 0;
      } catch (error) {
        if (mayPass(error)) {
          failures += 1;
          wait = startWait(waitAfter(failures, error, random));
          await wait.over;
          wait = undefined;
        } else forgetMark(owner, ...next);
      }
    }
    running = false;
  }

  /** There is reason to believe that it goes now. */
  function hurry() {
    wait?.hurry();
    void deliver();
  }

  return {
    /** Begins, or goes on, to send. @returns what stops it; what is unsent stays kept */
    open(to: Send) {
      send = to;
      void deliver();
      return () => {
        send = undefined;
        wait?.stop();
      };
    },
    keep(uuid: string, marked: boolean) {
      keepMark(owner, uuid, marked);
      hurry();
    },
    hurry,
  };
}
