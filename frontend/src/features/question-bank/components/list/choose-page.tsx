import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Checkbox } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import type { Selected } from '../../use-selection.ts';

type ChoosePageProps = { questions: readonly BankQuestion[]; selected: Selected };

/** Chooses what is on this page, or leaves it. */
export function ChoosePage({ questions, selected }: ChoosePageProps) {
  const { t } = useTranslation('admin');
  const count = questions.filter(({ id }) => selected.has(id)).length;
  const isAll = count > 0 && count === questions.length;
  return (
    <Checkbox
      label={t('questions.choose_page')}
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => (selected.all ? selected.clear() : selected.toggle(questions, !isAll))}
    />
  );
}
