import { Button, Textfield } from '@digdir/designsystemet-react';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form } from '#components/form.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { changeTopic, filtersQuery } from './api.ts';
import { isTopicTooLong } from './draft.ts';

type TopicDialogProps = {
  open: boolean;
  title: string;
  /** The current topic. */
  topic: string;
  busy: boolean;
  error: string;
  onSave: (topic: string) => void;
  onClose: () => void;
};

/** Asks for an existing or a new topic. */
export function TopicDialog({ open, title, onClose, ...form }: TopicDialogProps) {
  return (
    <AppDialog open={open} title={title} onClose={onClose}>
      <TopicForm {...form} onClose={onClose} />
    </AppDialog>
  );
}

// A component of its own, so that each opening starts with the current topic.
export function TopicForm(
  props: Omit<TopicDialogProps, 'open' | 'title'> & {
    /** The label of the button that saves. */
    submit?: string;
    onTyped?: (topic: string) => void;
  },
) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const suggestions = useId();
  const [topic, setTopic] = useState(props.topic);
  const isBlank = topic.trim() === '';
  const isTooLong = isTopicTooLong(topic);
  return (
    <Form
      busy={props.busy}
      resting={isBlank || isTooLong}
      onSubmit={() => props.onSave(topic.trim())}
    >
      <Textfield
        label={t('questions.field.topic')}
        description={t('questions.topic_hint')}
        list={suggestions}
        autoComplete="off"
        error={isTooLong && t('questions.fault.too_long')}
        value={topic}
        onChange={(event) => {
          setTopic(event.currentTarget.value);
          props.onTyped?.(event.currentTarget.value);
        }}
      />
      <TopicSuggestions id={suggestions} />
      <FormAlert>{props.error}</FormAlert>
      <DialogActions>
        {isBlank || isTooLong ? (
          <Button disabled>{props.submit ?? t('questions.action.save')}</Button>
        ) : (
          <BusyButton type="submit" busy={props.busy}>
            {props.submit ?? t('questions.action.save')}
          </BusyButton>
        )}
        <Button type="button" variant="secondary" onClick={props.onClose}>
          {tc('actions.cancel')}
        </Button>
      </DialogActions>
    </Form>
  );
}

type QuestionTopicDialogProps = { question: BankQuestion | undefined; onClose: () => void };

/** Moves one question to another topic, with undo. */
export function QuestionTopicDialog({ question, onClose }: QuestionTopicDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ of: { id }, topic }: { of: BankQuestion; topic: string }) =>
      changeTopic(id, topic),
    onSuccess: (_, { of, topic }) => {
      const back = () => change.mutate({ of: { ...of, topic }, topic: of.topic });
      notify(t('questions.notice.retopic', { id: of.id, topic }), {
        label: t('shell.undo'),
        onUndo: back,
      });
      onClose();
      return refreshQuestions(queryClient);
    },
    onError: (error) => {
      if (question) return;
      // The dialog is closed, so a notice shows the error.
      notify(failed(error));
      change.reset();
    },
  });
  const failed = (error: unknown) => t('questions.failed.topic', { reason: errorText(error) });
  return (
    <TopicDialog
      open={question !== undefined}
      title={t('questions.topic_title', { id: question?.id })}
      topic={question?.topic ?? ''}
      busy={change.isPending}
      error={change.isError ? failed(change.error) : ''}
      onSave={(topic) => question && change.mutate({ of: question, topic })}
      onClose={() => {
        if (!change.isPending) change.reset();
        onClose();
      }}
    />
  );
}

/** The existing topics as a datalist, for a field whose `list` is this id. */
export function TopicSuggestions({ id }: { id: string }) {
  const { data: known } = useQuery(filtersQuery);
  return (
    <datalist id={id}>
      {known?.topics.map((topic) => (
        <option key={topic} value={topic}>
          {topic}
        </option>
      ))}
    </datalist>
  );
}
