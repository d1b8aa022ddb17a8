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

/** Shows what a process warns of; everything else is in its log. */
export function sayWarnings(name: string): (line: string) => void {
  return (line) => {
    const entry = parse(line);
    if (entry && Number(entry.level) >= WARN) say(`${name}: ${pretty(entry).trimEnd()}`);
  };
}

/** The same, and what is no log entry: an error at the start, a `console.log` that one adds. */
export function sayNews(name: string): (line: string) => void {
  const warn = sayWarnings(name);
  return (line) => {
    if (parse(line)) warn(line);
    // Of a stack, only the lines that are ours.
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
