const pattern = /^\d{4}-\d{2}-\d{2}$/;

/** Returns whether a text is a calendar day, `YYYY-MM-DD`. The lexical order of such texts is chronological. */
export function isDay(text: string): boolean {
  if (!pattern.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/** Returns the UTC day of a time. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns the same day some years before. For a leap day, the text sorts directly after the last of February. */
export function yearsBefore(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;
}
