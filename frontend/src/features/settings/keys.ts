export const settingsKeys = {
  all: ['admin', 'settings'] as const,
  current: ['admin', 'settings', 'current'] as const,
  languages: ['admin', 'settings', 'languages'] as const,
  examProfiles: ['admin', 'settings', 'exam-profiles'] as const,
};
