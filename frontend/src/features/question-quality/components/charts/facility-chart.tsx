import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatCount } from '#lib/format-compact.ts';
import { AXIS, GRID, TOOLTIP } from './look.ts';
import styles from './charts.module.css';

/** How many questions are answered right how often. For the eye; the table beside it says the same. */
export function FacilityChart({ bins }: { bins: QualitySummaryResponse['facility'] }) {
  const { t, i18n } = useTranslation('admin');
  const number = (count: number) => formatCount(count, i18n.language);
  const data = bins.map(({ from, to, questions }) => ({
    name: `${Math.round(from * 100)}–${Math.round(to * 100)} %`,
    tick: String(Math.round(from * 100)),
    questions,
  }));
  return (
    <div className={styles.canvas} aria-hidden="true">
      <ResponsiveContainer>
        <BarChart
          data={data}
          accessibilityLayer={false}
          margin={{ top: 8, right: 8, bottom: 24, left: 8 }}
        >
          <CartesianGrid {...GRID} vertical={false} />
          <XAxis
            dataKey="tick"
            {...AXIS}
            label={{ ...AXIS.tick, value: t('quality.chart.right_from'), position: 'bottom' }}
          />
          <YAxis {...AXIS} width={56} allowDecimals={false} tickFormatter={number} />
          <Tooltip
            {...TOOLTIP}
            cursor={{ fill: 'var(--ds-color-neutral-surface-tinted)' }}
            labelFormatter={(_, [bin]) => String(bin?.payload.name ?? '')}
            formatter={(count) => [number(Number(count)), t('quality.chart.questions')]}
          />
          <Bar
            dataKey="questions"
            fill="var(--ds-color-primary-base-default)"
            radius={[4, 4, 0, 0]}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
