import {
  BarChartIcon,
  ClockDashedIcon,
  CogIcon,
  FileImportIcon,
  PersonGroupIcon,
  ReceiptIcon,
  TasklistIcon,
  ThumbDownIcon,
} from '@navikt/aksel-icons';

/**
 * The portal's navigation, in this order: import, questions, quality, users, payments,
 * settings, feedback, audit. A screen is listed when its route exists; all their names are in `i18n/admin/…/shell.json`.
 */
export const TABS = [
  { to: '/admin/dashboard', label: 'shell.tab.import', Icon: FileImportIcon },
  { to: '/admin/dashboard/questions', label: 'shell.tab.questions', Icon: TasklistIcon },
  { to: '/admin/dashboard/quality', label: 'shell.tab.quality', Icon: BarChartIcon },
  { to: '/admin/dashboard/users', label: 'shell.tab.users', Icon: PersonGroupIcon },
  { to: '/admin/dashboard/payments', label: 'shell.tab.payments', Icon: ReceiptIcon },
  { to: '/admin/dashboard/settings', label: 'shell.tab.settings', Icon: CogIcon },
  { to: '/admin/dashboard/feedback', label: 'shell.tab.feedback', Icon: ThumbDownIcon },
  { to: '/admin/dashboard/audit', label: 'shell.tab.audit', Icon: ClockDashedIcon },
] as const;
