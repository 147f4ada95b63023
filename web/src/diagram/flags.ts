// What the flags of a drawn event mean; docs/api.md describes them.

export const IN_CUT = 1;
export const CAUSE = 2;
export const CONSEQUENCE = 4;
