import display from './en/display.json' with { type: 'json' };
import history from './en/history.json' with { type: 'json' };
import progress from './en/progress.json' with { type: 'json' };
import language from './en/language.json' with { type: 'json' };
import practice from './en/practice.json' with { type: 'json' };
import profile from './en/profile.json' with { type: 'json' };
import quiz from './en/quiz.json' with { type: 'json' };
import report from './en/report.json' with { type: 'json' };
import result from './en/result.json' with { type: 'json' };
import run from './en/run.json' with { type: 'json' };
import sample from './en/sample.json' with { type: 'json' };
import saving from './en/saving.json' with { type: 'json' };

export default {
  display,
  history,
  progress,
  language,
  practice,
  profile,
  quiz,
  report,
  result,
  run,
  sample,
  saving,
};
