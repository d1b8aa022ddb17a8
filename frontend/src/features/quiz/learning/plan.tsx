import {
  Alert,
  Checkbox,
  Field,
  Fieldset,
  Label,
  Select,
  Textfield,
} from '@digdir/designsystemet-react';
import { CURRENT_REMINDER_TEXT, REMINDER_TEXTS } from '@proveklar/contract/consent-texts.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { Form } from '#components/form.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatDate } from '#lib/format.ts';
import home from '../home.module.css';
import { type Learning, useChangePlan } from './api.ts';
import { dailyGoals, daysUntil } from './learning-figures.ts';
import styles from './learning.module.css';

/** The exam date, the daily goal and reminders, closed at first. */
export function Plan({ learning }: { learning: Learning }) {
  const { t, i18n } = useTranslation('learner');
  const { daily_goal, exam_date, reminders } = learning;
  // After it no reminder is sent, and no day is counted down.
  const isOver = exam_date !== null && daysUntil(exam_date) < 0;
  const parts = [
    t('learning.plan.per_day', { count: daily_goal }),
    exam_date === null
      ? t('learning.plan.no_exam_date')
      : isOver
        ? t('learning.plan.exam_over')
        : t('learning.plan.exam_on', { date: formatDate(exam_date, i18n.language) }),
    reminders && !isOver && t('learning.plan.with_reminders'),
  ];
  return (
    <>
      {/* Not before the learner can see what it follows from. */}
      {learning.readiness && <SuggestedGoal learning={learning} />}
      <details className={styles.more}>
        <summary>
          {t('learning.plan.title')}: {parts.filter(Boolean).join(' · ')}
        </summary>
        <PlanForm learning={learning} />
      </details>
    </>
  );
}

/** Offers the amount a day that is enough until the exam, where the goal is less. */
function SuggestedGoal({ learning }: { learning: Learning }) {
  const { t, i18n } = useTranslation('learner');
  const errorText = useErrorText();
  const { mutate, variables, isPending, isSuccess, error } = useChangePlan();
  const { daily_goal, exam_date, suggested_goal } = learning;
  const saved = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isSuccess) saved.current?.focus();
  }, [isSuccess]);
  if (isSuccess && variables.daily_goal === daily_goal) {
    return (
      <p ref={saved} tabIndex={-1} className={home.focused}>
        {t('learning.plan.goal_is', { count: daily_goal })}
      </p>
    );
  }
  if (exam_date === null || suggested_goal === null || suggested_goal <= daily_goal) return null;
  // An amount a day says nothing when one day is left.
  if (daysUntil(exam_date) < 2) return null;
  const date = formatDate(exam_date, i18n.language);
  return (
    <div>
      <p id="suggested-goal">{t('learning.plan.suggested', { count: suggested_goal, date })}</p>
      <FormAlert>{error && errorText(error)}</FormAlert>
      <BusyButton
        variant="tertiary"
        data-size="sm"
        aria-describedby="suggested-goal"
        busy={isPending}
        onClick={() => mutate({ daily_goal: suggested_goal })}
      >
        {t('learning.plan.set_goal', { count: suggested_goal })}
      </BusyButton>
    </div>
  );
}

const STOPPED_TEXTS = {
  unanswered: 'learning.plan.reminders_unanswered',
  refused: 'learning.plan.reminders_stopped_refused',
} as const;

type PlanFields = Pick<Learning, 'daily_goal' | 'exam_date' | 'reminders'>;

function PlanForm({ learning }: { learning: Learning }) {
  const { t } = useTranslation('learner');
  const errorText = useErrorText();
  const goalId = useId();
  const change = useChangePlan();
  /** What the learner has changed here; the rest follows the account, which changes elsewhere too. */
  const [edited, setEdited] = useState<Partial<PlanFields>>({});
  const shown: PlanFields = { ...learning, ...edited };
  /** Set while the typed date is incomplete; a new object moves the focus to it. */
  const [incomplete, setIncomplete] = useState<object>();
  const reminderVersion = CURRENT_REMINDER_TEXT[currentLanguage()];
  const dateFault = incomplete ?? (isAboutDate(change.error) ? change.error : undefined);

  function edit(field: Partial<PlanFields>) {
    setEdited({ ...edited, ...field });
    if (!change.isPending) change.reset();
  }
  function submit(form: HTMLFormElement) {
    const date = form.querySelector<HTMLInputElement>('input[name=exam_date]');
    // A date that is typed halfway has an empty value.
    const isIncomplete = date?.validity.badInput === true;
    setIncomplete(isIncomplete ? {} : undefined);
    if (isIncomplete) return;
    const { daily_goal, exam_date, reminders } = shown;
    change.mutate(
      {
        ...(daily_goal !== learning.daily_goal && { daily_goal }),
        // A date that has passed may stay.
        ...(exam_date !== learning.exam_date && { exam_date }),
        ...(reminders !== learning.reminders && {
          reminders,
          ...(reminders && { reminders_consent: reminderVersion }),
        }),
      },
      // What is edited while it is being saved stays.
      { onSuccess: () => setEdited((now) => (now === edited ? {} : now)) },
    );
  }

  const failure = (error: Error) =>
    error instanceof ApiError && error.code === 'email_refused'
      ? t('learning.plan.reminders_refused')
      : errorText(error);

  return (
    <>
      <Form
        className={styles.form}
        submit={t('learning.plan.save')}
        button={{ variant: 'secondary' }}
        busy={change.isPending}
        error={change.error && !dateFault && failure(change.error)}
        {...(dateFault && { faults: dateFault })}
        onSubmit={submit}
      >
        <Textfield
          type="date"
          name="exam_date"
          label={t('learning.plan.exam_date')}
          description={t('learning.plan.exam_date_hint')}
          value={shown.exam_date ?? ''}
          error={dateFault !== undefined && t('learning.plan.exam_date_invalid')}
          onChange={({ currentTarget }) => {
            setIncomplete(undefined);
            edit({ exam_date: currentTarget.value || null });
          }}
        />
        <Field>
          <Label htmlFor={goalId}>{t('learning.plan.daily_goal')}</Label>
          <Select
            id={goalId}
            name="daily_goal"
            value={shown.daily_goal}
            onChange={({ currentTarget }) => edit({ daily_goal: Number(currentTarget.value) })}
          >
            {dailyGoals(learning.daily_goal).map((goal) => (
              <Select.Option key={goal} value={goal}>
                {t('learning.plan.questions', { count: goal })}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Fieldset>
          <Fieldset.Legend>{t('learning.plan.reminders')}</Fieldset.Legend>
          {learning.reminders_stopped && (
            <Fieldset.Description>
              {t(STOPPED_TEXTS[learning.reminders_stopped])}
            </Fieldset.Description>
          )}
          <Checkbox
            name="reminders"
            value="on"
            label={REMINDER_TEXTS[reminderVersion].text}
            checked={shown.reminders}
            onChange={({ currentTarget }) => edit({ reminders: currentTarget.checked })}
          />
        </Fieldset>
      </Form>
      <div role="status">
        {change.isSuccess && (
          <Alert data-color="success" data-size="sm">
            {t('learning.plan.saved')}
          </Alert>
        )}
      </div>
    </>
  );
}

const isAboutDate = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.details.field === 'exam_date';
