const pattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. Days of this form are ordered as texts. */
export function isDay(text: string): boolean {
  if (!pattern.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/** The day of a time, UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The same day some years before; of a leap day the text stands just behind the last of February. */
export function yearsBefore(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;
}
