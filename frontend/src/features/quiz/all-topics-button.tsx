import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

type AllTopicsButtonProps = {
  /** The id of the list of topics. */
  list: string;
  /** Whether all topics are shown. */
  all: boolean;
  onChange: (all: boolean) => void;
};

/** Shows all topics of a list that is cut off at first, or hides the rest again. */
export function AllTopicsButton({ list, all, onChange }: AllTopicsButtonProps) {
  const { t } = useTranslation('learner');
  return (
    <Button
      variant="tertiary"
      data-size="sm"
      aria-expanded={all}
      aria-controls={list}
      onClick={() => onChange(!all)}
    >
      {t(all ? 'progress.fewer_topics' : 'progress.all_topics')}
    </Button>
  );
}
