import audit from './no/audit.json' with { type: 'json' };
import feedback from './no/feedback.json' with { type: 'json' };
import imports from './no/import.json' with { type: 'json' };
import payments from './no/payments.json' with { type: 'json' };
import quality from './no/quality.json' with { type: 'json' };
import questions from './no/questions.json' with { type: 'json' };
import settings from './no/settings.json' with { type: 'json' };
import shell from './no/shell.json' with { type: 'json' };
import users from './no/users.json' with { type: 'json' };

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
