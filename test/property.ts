import fc from 'fast-check';

/** Of every property: the same cases on every run, so that a change is judged by what it changed. `PA_SEED` tries others. */
export const seed = Number(process.env.PA_SEED ?? 11);

fc.configureGlobal({ seed });

export default fc;
