import display from './no/display.json' with { type: 'json' };
import history from './no/history.json' with { type: 'json' };
import progress from './no/progress.json' with { type: 'json' };
import language from './no/language.json' with { type: 'json' };
import practice from './no/practice.json' with { type: 'json' };
import profile from './no/profile.json' with { type: 'json' };
import quiz from './no/quiz.json' with { type: 'json' };
import report from './no/report.json' with { type: 'json' };
import result from './no/result.json' with { type: 'json' };
import run from './no/run.json' with { type: 'json' };
import sample from './no/sample.json' with { type: 'json' };
import saving from './no/saving.json' with { type: 'json' };

/**
 * The namespace `learner`: what only those need who practise. Each area's texts below its name, from a
 * file of its own.
 */
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
