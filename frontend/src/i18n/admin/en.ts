import audit from './en/audit.json' with { type: 'json' };
import feedback from './en/feedback.json' with { type: 'json' };
import imports from './en/import.json' with { type: 'json' };
import payments from './en/payments.json' with { type: 'json' };
import quality from './en/quality.json' with { type: 'json' };
import questions from './en/questions.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import users from './en/users.json' with { type: 'json' };

/** The namespace `admin`: each area's texts below its name, from a file of its own. */
export default {
  shell,
  import: imports,
  questions,
  quality,
  users,
  payments,
  settings,
  feedback,
  audit,
};
