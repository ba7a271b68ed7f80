/** Returns the day of a time as `YYYY-MM-DD`, in UTC. @param time milliseconds since 1970 */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
