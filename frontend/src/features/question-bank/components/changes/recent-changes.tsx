import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { changesQuery } from '../../api.ts';
import { canUndo, isUnderWay } from '../../change-state.ts';
import { useActOnChange } from '../../use-change-notices.ts';
import { useChangeText } from '../../use-change-text.ts';
import styles from './changes.module.css';

/** The latest changes of many questions, each of which can be taken back. */
export function RecentChanges() {
  const { t, i18n } = useTranslation('admin');
  const changeText = useChangeText();
  const { data = [] } = useQuery(changesQuery);
  const act = useActOnChange();
  const changes = data.filter((change) => !isUnderWay(change));
  if (changes.length === 0) return null;
  return (
    <details className={styles.recent}>
      <summary>{t('questions.change.recent')}</summary>
      <ul className={styles.list}>
        {changes.map((change) => (
          <li key={change.id} className={styles.entry}>
            <div>
              <p className={styles.what}>{changeText(change)}</p>
              <p className="muted">
                <time dateTime={change.created_at}>
                  {formatShortDateTime(change.created_at, i18n.language)}
                </time>{' '}
                · {change.actor}
                {change.state === 'cancelled' && ` · ${t('questions.change.cancelled')}`}
              </p>
            </div>
            {canUndo(change) && (
              <BusyButton
                variant="tertiary"
                data-size="sm"
                busy={act.isPending && act.variables.id === change.id}
                aria-label={t('questions.change.undo_which', { what: changeText(change) })}
                onClick={() => act.mutate({ id: change.id, action: 'undo' })}
              >
                {t('shell.undo')}
              </BusyButton>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
