import audit from './no/audit.json';
import feedback from './no/feedback.json';
import imports from './no/import.json';
import quality from './no/quality.json';
import questions from './no/questions.json';
import settings from './no/settings.json';
import shell from './no/shell.json';
import users from './no/users.json';

/** The namespace `admin`: each area's texts below its name, from a file of its own. */
export default {
  shell,
  import: imports,
  questions,
  quality,
  users,
  settings,
  feedback,
  audit,
};
