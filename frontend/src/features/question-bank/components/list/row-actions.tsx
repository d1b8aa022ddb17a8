import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { useRestore, useValidate } from '../../use-question-actions.ts';
import styles from './question-table.module.css';

type RowActionsProps = { question: BankQuestion; onAsk: (what: 'delete' | 'topic') => void };

/** What is done about a question without opening it. */
export function RowActions({ question, onAsk }: RowActionsProps) {
  const { t } = useTranslation('admin');
  const { id, validated, is_used, retired_at } = question;
  const validation = useValidate();
  const restoring = useRestore();
  const own = { 'data-size': 'sm', variant: 'tertiary' } as const;
  return (
    <div className={styles.actions}>
      {retired_at ? (
        <BusyButton
          {...own}
          busy={restoring.isPending}
          aria-label={t('questions.which.restore', { id })}
          onClick={() => restoring.mutate(id)}
        >
          {t('questions.action.restore')}
        </BusyButton>
      ) : (
        <BusyButton
          {...own}
          busy={validation.isPending}
          aria-label={t(validated ? 'questions.which.unvalidate' : 'questions.which.validate', {
            id,
          })}
          onClick={() => validation.mutate({ question, validated: !validated })}
        >
          {t(validated ? 'questions.action.unvalidate_short' : 'questions.action.validate')}
        </BusyButton>
      )}
      <Button
        {...own}
        aria-label={t('questions.which.retopic', { id })}
        onClick={() => onAsk('topic')}
      >
        {t('questions.action.topic_short')}
      </Button>
      {!(retired_at && is_used) && (
        <Button
          {...own}
          data-color="danger"
          aria-label={t(is_used ? 'questions.which.retire' : 'questions.which.delete', { id })}
          onClick={() => onAsk('delete')}
        >
          {t(is_used ? 'questions.action.retire' : 'questions.action.delete')}
        </Button>
      )}
    </div>
  );
}
