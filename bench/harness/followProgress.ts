const intervalMs = 2000;

/** Prints how far something is, every two seconds at most and at its end, with an estimate of what remains. */
export function followProgress(what: string, total: number): (done: number) => void {
  const begun = performance.now();
  let told = begun;
  let first: number | null = null;
  return (done) => {
    first ??= done;
    const now = performance.now();
    if (done < total && now - told < intervalMs) return;
    told = now;
    const perSecond = (done - first) / ((now - begun) / 1000);
    const left = perSecond > 0 && done < total ? `, about ${duration((total - done) / perSecond)} left` : '';
    console.log(
      `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what} ` +
        `(${Math.floor((100 * done) / total)} %) after ${duration((now - begun) / 1000)}${left}`,
    );
  };
}

/** `95 s`, `12 min`. */
function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
