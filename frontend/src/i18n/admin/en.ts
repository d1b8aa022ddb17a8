import audit from './en/audit.json';
import feedback from './en/feedback.json';
import imports from './en/import.json';
import quality from './en/quality.json';
import questions from './en/questions.json';
import settings from './en/settings.json';
import shell from './en/shell.json';
import users from './en/users.json';

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
