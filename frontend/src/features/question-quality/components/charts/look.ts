const TEXT = 'var(--ds-color-neutral-text-subtle)';

/** How the charts look alike. */
export const AXIS = {
  stroke: 'var(--ds-color-neutral-border-default)',
  tick: { fill: TEXT, fontSize: 13 },
} as const;

export const GRID = { stroke: 'var(--pk-line)' } as const;

export const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    border: '1px solid var(--pk-line)',
    borderRadius: 8,
    background: 'var(--pk-surface)',
    color: 'var(--ds-color-neutral-text-default)',
  },
  itemStyle: { color: 'var(--ds-color-neutral-text-default)' },
} as const;
