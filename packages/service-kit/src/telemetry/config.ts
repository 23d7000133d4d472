/** Where OpenTelemetry's own variables are: its SDK reads them from the process, and from nowhere else. */
export const processEnvironment = process.env;
