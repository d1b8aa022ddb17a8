const TIME_ZONE = 'Europe/Oslo';
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 14;

/**
 * The last millisecond in which a purchase may be withdrawn from: the end, in Norway, of the 14th day
 * after the day of the purchase (angrerettloven § 21: 14 days, for services from the day after the
 * agreement). A last day on a Saturday, a Sunday or a public holiday gives way to the next working day.
 *
 * https://lovdata.no/dokument/NL/lov/2014-06-20-27
 */
export function withdrawalDeadline(purchasedAt: Date): Date {
  let day = dayInNorway(purchasedAt) + DAYS * DAY_MS;
  while (isDayOff(day)) day += DAY_MS;
  return new Date(midnightInNorway(day + DAY_MS) - 1);
}

/** The calendar day that a moment belongs to in Norway, as its midnight in UTC. */
function dayInNorway(moment: Date): number {
  return Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE }).format(moment));
}

/** When a calendar day begins in Norway. The clock is never changed at midnight. */
function midnightInNorway(day: number): number {
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: TIME_ZONE,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  return day - Number(hour.format(day)) * 60 * 60 * 1000;
}

const FIXED_HOLIDAYS = new Set(['01-01', '05-01', '05-17', '12-25', '12-26']);
/** From Maundy Thursday to Whit Monday, in days after Easter Sunday. */
const MOVABLE_HOLIDAYS = new Set([-3, -2, 0, 1, 39, 49, 50]);

function isDayOff(day: number): boolean {
  const date = new Date(day);
  const daysAfterEaster = (day - easterSunday(date.getUTCFullYear())) / DAY_MS;
  return (
    [0, 6].includes(date.getUTCDay()) ||
    FIXED_HOLIDAYS.has(date.toISOString().slice(5, 10)) ||
    MOVABLE_HOLIDAYS.has(daysAfterEaster)
  );
}

/** Gauss's rule in the form for 1900 to 2099; after that holidays are one week off at worst. */
function easterSunday(year: number): number {
  const moon = (19 * (year % 19) + 24) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
  const late = (moon === 29 && sunday === 6) || (moon === 28 && sunday === 6 && year % 19 > 10);
  return Date.UTC(year, 2, 22 + moon + sunday - (late ? 7 : 0));
}
