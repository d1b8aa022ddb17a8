import { Button, Textfield } from '@digdir/designsystemet-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { isTopicTooLong } from '../../draft.ts';
import { TopicSuggestions } from './topic-suggestions.tsx';

type TopicDialogProps = {
  open: boolean;
  title: string;
  /** What it is now. */
  topic: string;
  busy: boolean;
  error: string;
  onSave: (topic: string) => void;
  onClose: () => void;
};

/** Asks for a topic: one that there is, or a new one. */
export function TopicDialog({ open, title, onClose, ...form }: TopicDialogProps) {
  return (
    <AppDialog open={open} title={title} onClose={onClose}>
      <TopicForm {...form} onClose={onClose} />
    </AppDialog>
  );
}

// Its own component: each time the dialog opens, it begins with the topic as it is then.
function TopicForm(props: Omit<TopicDialogProps, 'open' | 'title'>) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const suggestions = useId();
  const [topic, setTopic] = useState(props.topic);
  const isBlank = topic.trim() === '';
  const isTooLong = isTopicTooLong(topic);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank && !isTooLong && !props.busy) props.onSave(topic.trim());
      }}
    >
      <Textfield
        label={t('questions.field.topic')}
        description={t('questions.topic_hint')}
        list={suggestions}
        autoComplete="off"
        error={isTooLong && t('questions.fault.too_long')}
        value={topic}
        onChange={(event) => setTopic(event.currentTarget.value)}
      />
      <TopicSuggestions id={suggestions} />
      <FormAlert>{props.error}</FormAlert>
      <DialogActions>
        {isBlank || isTooLong ? (
          <Button disabled>{t('questions.action.save')}</Button>
        ) : (
          <BusyButton type="submit" busy={props.busy}>
            {t('questions.action.save')}
          </BusyButton>
        )}
        <Button type="button" variant="secondary" onClick={props.onClose}>
          {tc('actions.cancel')}
        </Button>
      </DialogActions>
    </form>
  );
}
