import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import { optionLetter } from '../../run/quiz-position.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import { OptionButton, type OptionLook } from './option-button.tsx';
import styles from './option-list.module.css';

export function OptionList({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { question, given, isTest, guarded } = run;
  const key = given?.result?.correct_answer;

  function look(option: string): OptionLook {
    const chosen = given?.answer === option;
    if (key === undefined) return chosen ? 'chosen' : 'open';
    if (option === key) return chosen ? 'right' : 'key';
    return chosen ? 'wrong' : 'other';
  }

  return (
    <div
      role="group"
      aria-label={t('run.options')}
      className={styles.options}
      data-guarded={guarded}
      {...textIn(question.language)}
    >
      {question.options.map((option, number) => (
        <OptionButton
          key={option}
          letter={optionLetter(number)}
          text={option}
          look={look(option)}
          locked={guarded === 'everything' || (!isTest && given !== undefined)}
          onChoose={(byPointer) => run.choose(option, byPointer)}
        />
      ))}
    </div>
  );
}
