import { asList, asObject, asText, parseJson } from '../message/json.ts';
import { createHttpTransport, type HttpTransport } from '../http/http-transport.ts';
import { readText } from '../http/read-text.ts';

/** A model server that answered on this machine. */
export interface LocalServer {
  /** Provider id for the built-in ones, else what usually listens on that port. */
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** Where local servers usually listen. Source: CLI spec 6, first start. */
export const LOCAL_PORTS: Readonly<Record<string, number>> = {
  ollama: 11434,
  lmstudio: 1234,
  'llama.cpp': 8080,
  vllm: 8000,
};

export interface ProbeOptions {
  /** For each server, in milliseconds. Default 300. */
  readonly timeoutMs?: number;
  /** Names and ports on 127.0.0.1. Default: the usual ones. */
  readonly ports?: Readonly<Record<string, number>>;
}

const LIST_LIMIT = 1024 * 1024;

/**
 * Looks for model servers on this machine, all ports at once. A port where nobody listens, or where something else
 * answers, is passed over; it never throws.
 *
 * @example
 * await probeLocalServers(); // [{ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3'] }]
 */
export async function probeLocalServers(options: ProbeOptions = {}): Promise<LocalServer[]> {
  const { timeoutMs = 300, ports = LOCAL_PORTS } = options;
  const transport = createHttpTransport();
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await Promise.all(Object.entries(ports).map(([name, port]) => probe(transport, signal, name, port)));
  return found.filter((server) => server !== undefined);
}

async function probe(
  transport: HttpTransport,
  signal: AbortSignal,
  name: string,
  port: number,
): Promise<LocalServer | undefined> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    const headers = { accept: 'application/json' };
    const response = await transport({ method: 'GET', url: `${baseUrl}/models`, headers, signal });
    const text = await readText(response, LIST_LIMIT);
    const list = response.statusCode === 200 ? asObject(parseJson(text)) : undefined;
    if (list === undefined || !Array.isArray(list.data)) return undefined;
    return { name, baseUrl, models: asList(list.data).flatMap((model) => asText(asObject(model)?.id) ?? []) };
  } catch {
    return undefined;
  }
}
