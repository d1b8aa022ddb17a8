import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { isBeingCleared } from '../../import-state.ts';
import { Checked } from './checked.tsx';
import { Completed } from './completed.tsx';
import { OutcomeAlert } from './outcome-alert.tsx';
import { Refused } from './refused.tsx';

/** How an import ended, or what it waits for, in words; and what to do about it. */
export function ImportOutcome({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const cleared = isBeingCleared(one) && t('import.being_cleared');
  switch (one.state) {
    case 'completed':
      return <Completed one={one} />;
    case 'checked':
      return <Checked one={one} />;
    case 'refused':
      return <Refused one={one} />;
    case 'failed':
      return (
        <OutcomeAlert
          tone="danger"
          title={t('import.failed_title')}
          texts={[t('import.outcome.failed'), cleared]}
        />
      );
    case 'cancelled':
    case 'discarded':
      return (
        <OutcomeAlert
          tone="info"
          title={t(`import.outcome.${one.state}`)}
          texts={[t('import.outcome.nothing_kept'), cleared]}
        />
      );
    case 'undoing':
    case 'undone':
      return (
        <OutcomeAlert
          tone="info"
          title={t(`import.outcome.${one.state}`)}
          texts={[
            t(`import.outcome.${one.state}_text`),
            one.undone_by !== null && t('import.outcome.undone_by', { email: one.undone_by }),
          ]}
        />
      );
    case 'receiving':
    case 'processing':
      break;
  }
  return null;
}
