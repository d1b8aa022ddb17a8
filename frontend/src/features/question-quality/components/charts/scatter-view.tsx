import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import {
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
  ZAxis,
} from 'recharts';
import { formatCount } from '#lib/format-compact.ts';
import { AXIS, GRID, TOOLTIP } from './look.ts';
import styles from './charts.module.css';

type Points = QualitySummaryResponse['scatter'];

/**
 * Facility against discrimination: the larger the mark, the more questions. Below the line are those
 * that look wrong; they are diamonds, not only of another colour.
 */
export function ScatterView({ points }: { points: Points }) {
  const { t, i18n } = useTranslation('admin');
  const negative = points.filter(({ discrimination }) => discrimination < 0);
  const other = points.filter(({ discrimination }) => discrimination >= 0);
  const still = { isAnimationActive: false } as const;
  return (
    <div className={styles.canvas} aria-hidden="true">
      <ResponsiveContainer>
        <ScatterChart
          accessibilityLayer={false}
          margin={{ top: 8, right: 16, bottom: 24, left: 8 }}
        >
          <CartesianGrid {...GRID} />
          <XAxis
            {...AXIS}
            type="number"
            dataKey="facility"
            name={t('quality.facility')}
            domain={[0, 1]}
            ticks={[0, 0.25, 0.5, 0.75, 1]}
            tickFormatter={(value: number) => String(Math.round(value * 100))}
            label={{ ...AXIS.tick, value: t('quality.chart.right'), position: 'bottom' }}
          />
          <YAxis
            {...AXIS}
            type="number"
            dataKey="discrimination"
            name={t('quality.discrimination_name')}
            domain={[-1, 1]}
            ticks={[-1, -0.5, 0, 0.5, 1]}
            width={56}
          />
          <ZAxis type="number" dataKey="questions" range={[36, 400]} />
          <ReferenceLine y={0} stroke="var(--ds-color-neutral-border-strong)" />
          <Tooltip {...TOOLTIP} content={<PointText language={i18n.language} />} />
          <Scatter data={other} fill="var(--ds-color-primary-base-default)" {...still} />
          <Scatter
            data={negative}
            shape="diamond"
            fill="var(--ds-color-danger-base-default)"
            {...still}
          />
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  );
}

type PointTextProps = { language: string; payload?: readonly { payload?: unknown }[] };

function PointText({ language, payload }: PointTextProps) {
  const { t } = useTranslation('admin');
  const point = payload?.[0]?.payload as Points[number] | undefined;
  if (!point) return null;
  return (
    <p className={styles.point}>
      {t('quality.chart.point', {
        count: point.questions,
        n: formatCount(point.questions, language),
        facility: Math.round(point.facility * 100),
        discrimination: point.discrimination,
      })}
    </p>
  );
}
