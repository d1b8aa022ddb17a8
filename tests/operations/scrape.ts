export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scrape {
  /** Types by metric name, also of metrics without a sample. */
  types: Map<string, string>;
  samples: Sample[];
  /** The value of the only sample with these labels; undefined when there is none. */
  value: (name: string, labels?: Record<string, string>) => number | undefined;
  /** The sum of all samples with these labels. */
  sum: (name: string, labels?: Record<string, string>) => number;
}

/** Reads metrics as Prometheus does. */
export async function scrape(operatorsUrl: string, headers = {}): Promise<Scrape> {
  const response = await fetch(`${operatorsUrl}/metrics`, { headers });
  if (!response.ok) throw new Error(`/metrics: ${response.status} ${await response.text()}`);
  const text = await response.text();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value = '']) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', of = '']) => [key, of]),
      ),
      value: Number(value),
    }),
  );
  const having = (name: string, labels: Record<string, string>) =>
    samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([key, of]) => sample.labels[key] === of),
    );
  return {
    types,
    samples,
    value(name, labels = {}) {
      const found = having(name, labels);
      if (found.length > 1) throw new Error(`${name}: ${found.length} samples`);
      return found[0]?.value;
    },
    sum: (name, labels = {}) => having(name, labels).reduce((sum, { value }) => sum + value, 0),
  };
}
