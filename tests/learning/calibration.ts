/** Readiness of a simulated learner at the end of a day, and the share of simulated exams that they passed. */
export interface Look {
  learner: number;
  day: number;
  said: number;
  low: number;
  high: number;
  truth: number;
}

/** Compares what was said with what was true, by tenths of what was said. */
export function calibrationOf(looks: readonly Look[]) {
  const byTenth = Map.groupBy(looks, ({ said }) => Math.min(9, Math.floor(said * 10)));
  const tenths = [...byTenth]
    .toSorted(([a], [b]) => a - b)
    .map(([tenth, group]) => {
      const said = average(group.map((look) => look.said));
      const truth = average(group.map((look) => look.truth));
      return {
        from: tenth / 10,
        looks: group.length,
        learners: new Set(group.map(({ learner }) => learner)).size,
        said: rounded(said),
        truth: rounded(truth),
        error: rounded(said - truth),
      };
    });
  return {
    tenths,
    /** The mean distance between what is said and what is true, each tenth by its looks. */
    error: average(looks.map((look) => Math.abs(errorOf(tenths, look)))),
    bias: average(looks.map(({ said, truth }) => said - truth)),
    /** How often the truth lies in the range. */
    covered: average(looks.map(({ low, high, truth }) => Number(low <= truth && truth <= high))),
  };
}

const errorOf = (tenths: readonly { from: number; error: number }[], { said }: Look) =>
  tenths.findLast(({ from }) => from <= said)!.error;

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (value: number) => Math.round(value * 1000) / 1000;
