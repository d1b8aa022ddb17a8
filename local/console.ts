import { prettyFactory } from 'pino-pretty';

const WARN = 40;

/** Writes one line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const pretty = prettyFactory({
  colorize: process.stdout.isTTY,
  ignore: 'pid,hostname,name',
  translateTime: 'SYS:HH:MM:ss',
  singleLine: true,
});

/** Prints the warnings of a process; everything else is in its log. */
export function sayWarnings(name: string): (line: string) => void {
  return (line) => {
    const entry = parse(line);
    if (entry && Number(entry.level) >= WARN) say(`${name}: ${pretty(entry).trimEnd()}`);
  };
}

/** Also prints lines that are not log entries: errors at the start, `console.log` while debugging. */
export function sayOutput(name: string): (line: string) => void {
  const warn = sayWarnings(name);
  return (line) => {
    if (parse(line)) warn(line);
    // Of a stack trace, only the lines of our code.
    else if (line.trim() && !line.includes('node:internal/')) say(`${name}: ${line}`);
  };
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
