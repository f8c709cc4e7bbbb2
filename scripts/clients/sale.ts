// What every client of the first sale needs.
declare const process: { env: Record<string, string | undefined> };

export const base = process.env["KONTOR"] ?? "";
export const head = { "X-Api-Key": process.env["KONTOR_KEY"] ?? "" };
export const key = () => crypto.randomUUID();
export const is = (what: string, got: unknown, want: unknown) => {
  if (got !== want) throw new Error(`${what}: ${String(got)}, want ${String(want)}`);
};
