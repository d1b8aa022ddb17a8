/** Whether a pattern means this name: `charge.*` stands for everything that begins with `charge.`. */
export function matchesPattern(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
