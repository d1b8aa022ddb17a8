import type { QuestionChangeAction } from '@proveklar/contract/questions.ts';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { TopicDialog } from '../edit/topic-dialog.tsx';
import type { BulkChange } from './use-bulk-change.ts';

type BulkDialogsProps = {
  /** What is about to be done; undefined: nothing. */
  asked: QuestionChangeAction | undefined;
  counted: { count: number; n: string };
  change: BulkChange;
  onConfirm: (topic?: string) => void;
  onClose: () => void;
};

/** Asks before many questions are changed, and for the topic that they get. */
export function BulkDialogs({ asked, counted, change, onConfirm, onClose }: BulkDialogsProps) {
  const { t } = useTranslation('admin');
  const confirmed = asked === 'retopic' ? undefined : asked;
  return (
    <>
      <TopicDialog
        open={asked === 'retopic'}
        title={t('questions.bulk_title.retopic', counted)}
        topic=""
        busy={change.isPending}
        error=""
        onSave={onConfirm}
        onClose={onClose}
      />
      <ConfirmDialog
        open={confirmed !== undefined}
        title={t(`questions.bulk_title.${confirmed ?? 'validate'}`, counted)}
        action={t(`questions.action.${confirmed ?? 'validate'}`)}
        tone={confirmed === 'retire' ? 'danger' : 'primary'}
        busy={change.isPending}
        onConfirm={() => onConfirm()}
        onClose={onClose}
      >
        <p>{t(`questions.bulk_text.${confirmed ?? 'validate'}`)}</p>
        <p className="muted">{t('questions.bulk_undo')}</p>
      </ConfirmDialog>
    </>
  );
}
