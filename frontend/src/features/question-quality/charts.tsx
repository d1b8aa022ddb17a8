import type { QualitySummaryResponse } from '@proveklar/contract/question-quality.ts';
import { useTranslation } from 'react-i18next';
import {
  Bar,
  BarChart,
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
import styles from './question-quality.module.css';

type QualityChartsProps = { summary: QualitySummaryResponse };

/** The two charts, each with a summary sentence and a table of its numbers. */
export function QualityCharts({ summary }: QualityChartsProps) {
  const { t, i18n } = useTranslation('admin');
  const { facility, scatter, measured } = summary;
  const sum = (of: readonly { questions: number }[]) =>
    of.reduce((all, { questions }) => all + questions, 0);
  const number = (count: number) => formatCount(count, i18n.language);
  const hard = sum(facility.filter(({ to }) => to <= 0.4));
  const easy = sum(facility.filter(({ from }) => from >= 0.9));
  const negative = sum(scatter.filter(({ discrimination }) => discrimination < 0));
  return (
    <div className={styles.charts}>
      <figure className={styles.chart}>
        <figcaption>
          <h2>{t('quality.chart.facility')}</h2>
          <p>
            {t('quality.chart.facility_text', {
              measured: number(measured),
              hard: number(hard),
              easy: number(easy),
            })}
          </p>
        </figcaption>
        <FacilityChart bins={facility} />
        <details>
          <summary>{t('quality.chart.as_table')}</summary>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('quality.chart.right')}</th>
                <th scope="col">{t('quality.chart.questions')}</th>
              </tr>
            </thead>
            <tbody>
              {facility.map(({ from, to, questions }) => (
                <tr key={from}>
                  <th scope="row">{`${Math.round(from * 100)}–${Math.round(to * 100)} %`}</th>
                  <td>{number(questions)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
      <figure className={styles.chart}>
        <figcaption>
          <h2>{t('quality.chart.scatter')}</h2>
          <p>{t('quality.chart.scatter_text', { count: negative, n: number(negative) })}</p>
        </figcaption>
        <ScatterView points={scatter} />
        <details>
          <summary>{t('quality.chart.as_table')}</summary>
          <ScatterTable points={scatter} />
        </details>
      </figure>
    </div>
  );
}

/** The numbers of the second chart: questions by facility and discrimination. */
function ScatterTable({ points }: { points: QualitySummaryResponse['scatter'] }) {
  const { t, i18n } = useTranslation('admin');
  const sorted = points.toSorted(
    (a, b) => a.discrimination - b.discrimination || a.facility - b.facility,
  );
  const figure = new Intl.NumberFormat(i18n.language === 'en' ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: 2,
  });
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('quality.discrimination_name')}</th>
          <th scope="col">{t('quality.chart.right')}</th>
          <th scope="col">{t('quality.chart.questions')}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ facility, discrimination, questions }) => (
          <tr key={`${facility} ${discrimination}`}>
            <td>{figure.format(discrimination)}</td>
            <td>{`${Math.round(facility * 100)} %`}</td>
            <td>{formatCount(questions, i18n.language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The distribution of the facility. Hidden from screen readers, which have the table. */
function FacilityChart({ bins }: { bins: QualitySummaryResponse['facility'] }) {
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

type Points = QualitySummaryResponse['scatter'];

/**
 * Facility against discrimination: a larger mark stands for more questions. Suspicious questions are below the
 * line, and are diamonds, so that they differ not only by colour.
 */
function ScatterView({ points }: { points: Points }) {
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

const TEXT = 'var(--ds-color-neutral-text-subtle)';

/** The common style of the charts. */
const AXIS = {
  stroke: 'var(--ds-color-neutral-border-default)',
  tick: { fill: TEXT, fontSize: 13 },
} as const;

const GRID = { stroke: 'var(--pk-line)' } as const;

const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    border: '1px solid var(--pk-line)',
    borderRadius: 8,
    background: 'var(--pk-surface)',
    color: 'var(--ds-color-neutral-text-default)',
  },
  itemStyle: { color: 'var(--ds-color-neutral-text-default)' },
} as const;
