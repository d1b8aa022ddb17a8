import type { QuestionChange } from '@proveklar/contract/questions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareBar } from '#components/admin/share-bar.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { formatCount } from '#lib/format-compact.ts';
import { changesQuery } from '../../api.ts';
import { isUnderWay } from '../../change-state.ts';
import { useActOnChange, useChangeNotices } from '../../use-change-notices.ts';
import { useChangeText } from '../../use-change-text.ts';
import styles from './changes.module.css';

/** Changes of many questions that are under way, wherever they were begun. */
export function RunningChanges() {
  const { data: changes = [] } = useQuery(changesQuery);
  useChangeNotices();
  const running = changes.filter(isUnderWay);
  return running.map((change) => <Progress key={`${change.id} ${change.state}`} change={change} />);
}

function Progress({ change }: { change: QuestionChange }) {
  const { t, i18n } = useTranslation('admin');
  const changeText = useChangeText();
  const label = changeText(change);
  const act = useActOnChange();
  const { id, state, total, done, changed } = change;
  const number = (n: number) => formatCount(n, i18n.language);
  // Taking back counts down what is changed, from what it was when first seen here.
  const [atFirst] = useState(changed);
  const [part, whole] = state === 'undoing' ? [atFirst - changed, atFirst] : [done, total];
  const share = whole === 0 ? 1 : Math.min(1, Math.max(0, part / whole));
  const amount = t('questions.change.amount', { done: number(part), total: number(whole) });
  return (
    <section className={styles.running} aria-label={label}>
      <ShareBar label={label} amount={amount} share={share} />
      {state === 'running' && (
        <BusyButton
          className={styles.cancel}
          variant="secondary"
          data-size="sm"
          busy={act.isPending}
          onClick={() => act.mutate({ id, action: 'cancel' })}
        >
          {t('questions.change.cancel')}
        </BusyButton>
      )}
    </section>
  );
}
