/** `@override(label: "percent(x)")` is decided by this value. It is a constant, so that plans are stable. */
export const overridePercentage = 50;
