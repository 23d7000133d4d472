/** OpenTelemetry's own variables: its SDK reads them from the process only. */
export const processEnvironment = process.env;
