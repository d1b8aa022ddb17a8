import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { StatTiles } from '#components/admin/stat-tiles.tsx';
import { formatCount } from '../format-amounts.ts';

type CountsProps = {
  one: Import;
  /** More figures, about the time. */
  pace: { label: string; value: string }[];
};

const COUNTED = ['rows', 'imported', 'updated', 'duplicates', 'rejected'] as const;

/** The figures of an import. Each has its place, so that nothing moves while they grow. */
export function Counts({ one, pace }: CountsProps) {
  const { t } = useTranslation('admin');
  const words = one.state === 'checked' || one.state === 'discarded' ? 'count_dry' : 'count';
  const counts = COUNTED.map((name) => ({
    label: t(`import.${words}.${name}`),
    value: formatCount(one[name]),
  }));
  return <StatTiles tiles={[...counts, ...pace]} />;
}
