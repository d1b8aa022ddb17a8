import { useTranslation } from 'react-i18next';
import { ShareBar } from '#components/admin/share-bar.tsx';
import { formatBytes } from '../../format-amounts.ts';

type ProgressBarProps = { label: string; bytes: number; total: number | null };

/** How much of a file is done with. Where its size is not known there is a figure, but no share. */
export function ProgressBar({ label, bytes, total }: ProgressBarProps) {
  const { t } = useTranslation('admin');
  const share = total === null ? null : total === 0 ? 1 : Math.min(1, bytes / total);
  const amount =
    total === null
      ? formatBytes(bytes)
      : t('import.bytes_of', { done: formatBytes(bytes), total: formatBytes(total) });
  return <ShareBar label={label} amount={amount} share={share} />;
}
