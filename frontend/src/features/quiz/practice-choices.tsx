import { Field, Fieldset, Label, Radio, Select } from '@digdir/designsystemet-react';
import { toAppLanguage } from '@proveklar/contract/language.ts';
import type { Exam } from '@proveklar/contract/quiz.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageInWords, useOfferedLanguages } from '#lib/question-language.ts';
import { getSession } from '#lib/session.ts';
import { useDrillLanguage } from './drill-choices.ts';
import home from './home.module.css';
import { useAccountChoice } from './learning/account-choice.ts';
import { type Learning, useChangePlan, useLearning } from './learning/api.ts';

const exams = ['samfunnskunnskap', 'statsborger'] as const satisfies readonly Exam[];

export interface ChosenExam {
  exam: Exam;
  choose: (exam: Exam) => void;
  /** Whether the last choice did not arrive. It is sent again at the next visit. */
  isUnsent: boolean;
}

/** The exam that the learner practises for, which is part of the account's plan. Once for a page: it sends choices. */
export function useExam(): ChosenExam {
  const [language] = useDrillLanguage();
  const { data } = useLearning(language);
  const { mutateAsync, isError } = useChangePlan();
  const { value, choose } = useAccountChoice<Exam>({
    key: 'proveklar.exam',
    uid: getSession().user?.uid ?? '',
    allowed: exams,
    current: data?.exam,
    send: (exam) => mutateAsync({ exam }),
  });
  return { exam: value ?? exams[0], choose, isUnsent: isError };
}

type PracticeChoicesProps = { learning: Learning; chosen: ChosenExam };

/**
 * Which exam, and in which language: what today's practice, the tiles of the topics and readiness are about. Asked
 * until the first answer; then one line, which opens.
 */
export function PracticeChoices({ learning, chosen }: PracticeChoicesProps) {
  const { t, i18n } = useTranslation('learner');
  const { exam, isUnsent } = chosen;
  const [language, setLanguage] = useDrillLanguage();
  const isNew =
    learning.today.done === 0 && learning.topics.every(({ unseen, total }) => unseen === total);
  // It stays open while it is answered.
  const [isOpen] = useState(isNew);
  return (
    <>
      {/* Harmless, so it must not take the focus. */}
      {isUnsent && (
        <p role="status" className="muted">
          {t('learning.plan.exam_unsent')}
        </p>
      )}
      <details className={home.more} open={isOpen}>
        <summary>
          {t('quiz.practise_for', {
            exam: t(`quiz.exam_${exam}`),
            language: languageInWords(language, i18n.language),
          })}
        </summary>
        <div className={home.fields}>
          <ExamChoice name="practised-exam" chosen={chosen} />
          <QuestionLanguageSelect value={language} onChange={setLanguage} />
          <InNorwegian language={language} />
        </div>
      </details>
    </>
  );
}

type ExamChoiceProps = {
  /** Of the radio buttons: a page may have the choice twice. */
  name: string;
  chosen: ChosenExam;
};

export function ExamChoice({ name: group, chosen: { exam, choose } }: ExamChoiceProps) {
  const { t } = useTranslation('learner');
  return (
    <Fieldset>
      <Fieldset.Legend>{t('quiz.exam')}</Fieldset.Legend>
      {exams.map((name) => (
        <Radio
          key={name}
          name={group}
          value={name}
          label={t(`quiz.exam_${name}`)}
          checked={exam === name}
          onChange={() => choose(name)}
        />
      ))}
    </Fieldset>
  );
}

/** Advice for who practises in another language than that of the exam. */
export function InNorwegian({ language }: { language: string }) {
  const { t } = useTranslation('learner');
  if (toAppLanguage(language) === 'no') return null;
  return <p className="muted">{t('quiz.test_in_norwegian')}</p>;
}

type QuestionLanguageSelectProps = {
  value: string;
  onChange: (language: string) => void;
};

/** Selects the language of the questions, each named in itself; the page keeps its own language. */
export function QuestionLanguageSelect(props: QuestionLanguageSelectProps) {
  const { t } = useTranslation('learner');
  const offered = useOfferedLanguages();
  return (
    <ChoiceSelect
      label={t('quiz.question_language')}
      choices={offered.map(({ code }) => code)}
      nameOf={(code) => offered.find((language) => language.code === code)?.name ?? code}
      {...props}
    />
  );
}

type ChoiceSelectProps<Value extends string> = {
  label: string;
  choices: readonly Value[];
  /** The label of a choice; by default the choice itself. */
  nameOf?: (choice: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
};

/** One of a few named values. */
export function ChoiceSelect<Value extends string>({
  label,
  choices,
  nameOf,
  value,
  onChange,
}: ChoiceSelectProps<Value>) {
  const id = useId();
  return (
    <Field>
      <Label htmlFor={id}>{label}</Label>
      <Select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((choice) => choice === currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {choices.map((choice) => (
          <Select.Option key={choice} value={choice}>
            {nameOf ? nameOf(choice) : choice}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}
