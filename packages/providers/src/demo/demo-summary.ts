import { asList, asObject, asText, parseJson } from '../message/json.ts';
import type { JsonObject, JsonValue, ToolCall, ToolMessage } from '../message/message.ts';
import type { DemoLanguage, DemoText } from './demo-language.ts';

const SHOWN_LINES = 12;

/** A call and what came of it. */
export interface DemoResult {
  readonly call: ToolCall;
  readonly result: ToolMessage;
}

/** Tells what a tool answered, from its real result. */
export function summaryOf({ call, result }: DemoResult, language: DemoLanguage): string {
  const args = asObject(parseJson(call.argumentsJson)) ?? {};
  const value = asObject(parseJson(result.content));
  if (value === undefined) return block(result.content, language);
  const tell = SUMMARIES[call.name];
  const error = asText(value.error);
  if (error !== undefined && tell !== terminalSummary) return FAILED[language](call.name, error);
  return tell === undefined ? block(result.content, language) : tell(value, args, language);
}

type Summary = (value: JsonObject, args: JsonObject, language: DemoLanguage) => string;

const SUMMARIES: Readonly<Record<string, Summary>> = {
  terminal: terminalSummary,
  read_file: (value, args, language) =>
    `${READ[language](textOf(args.path), textOf(value.total_lines))}\n${block(textOf(value.content), language)}`,
  search_files: searchSummary,
  write_file: (value, args, language) =>
    WROTE[language](asText(value.path) ?? textOf(args.path), textOf(value.bytes_written)),
  memory: memorySummary,
};

function terminalSummary(value: JsonObject, args: JsonObject, language: DemoLanguage): string {
  const output = asText(value.output);
  const error = asText(value.error);
  return [
    RAN[language](textOf(args.command), textOf(value.exit_code)),
    ...(error === undefined ? [] : [error]),
    output === undefined ? NO_OUTPUT[language] : block(output, language),
  ].join('\n');
}

function searchSummary(value: JsonObject, args: JsonObject, language: DemoLanguage): string {
  const matches = asList(value.matches);
  const lines = matches.map(matchLine).join('\n');
  const head = FOUND[language](textOf(value.total_count ?? matches.length), textOf(args.pattern));
  return matches.length === 0 ? head : `${head}\n${block(lines, language)}`;
}

function matchLine(match: JsonValue): string {
  const fields = asObject(match);
  if (fields === undefined) return textOf(match);
  const place = [fields.path ?? fields.file, fields.line ?? fields.line_number].filter((part) => part !== undefined);
  return [...place, fields.content ?? fields.text ?? ''].map(textOf).join(':');
}

function memorySummary(value: JsonObject, args: JsonObject, language: DemoLanguage): string {
  if (args.action !== 'read') return `${NOTED[language]} ${textOf(value.message)}`.trim();
  const entries = asList(value.entries).map((entry) => `- ${textOf(asObject(entry)?.text ?? entry)}`);
  return entries.length === 0 ? block(JSON.stringify(value, null, 2), language) : entries.join('\n');
}

/** The first lines in a fence, and how many were left out. */
function block(text: string, language: DemoLanguage): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const more = lines.length - SHOWN_LINES;
  const shown = ['```', ...lines.slice(0, SHOWN_LINES), '```'].join('\n');
  return more > 0 ? `${shown}\n${MORE[language](more)}` : shown;
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Phrase<Args extends readonly unknown[]> = Readonly<Record<DemoLanguage, (...args: Args) => string>>;

const RAN: Phrase<[command: string, code: string]> = {
  en: (command, code) => `\`${command}\` ended with exit code ${code === '' ? 'unknown' : code}.`,
  zh: (command, code) => `\`${command}\` 已结束，退出码 ${code === '' ? '未知' : code}。`,
};
const READ: Phrase<[path: string, lines: string]> = {
  en: (path, lines) =>
    `${path}${lines === '' ? '' : ` has ${lines} ${lines === '1' ? 'line' : 'lines'}`}. It begins like this:`,
  zh: (path, lines) => `${path}${lines === '' ? '' : ` 共 ${lines} 行`}，开头如下：`,
};
const FOUND: Phrase<[count: string, pattern: string]> = {
  en: (count, pattern) => `${count} ${count === '1' ? 'match' : 'matches'} for ${pattern}.`,
  zh: (count, pattern) => `${pattern} 共有 ${count} 处匹配。`,
};
const WROTE: Phrase<[path: string, bytes: string]> = {
  en: (path, bytes) => `Written: ${path}${bytes === '' ? '' : `, ${bytes} bytes`}.`,
  zh: (path, bytes) => `已写入 ${path}${bytes === '' ? '' : `，${bytes} 字节`}。`,
};
const FAILED: Phrase<[tool: string, error: string]> = {
  en: (tool, error) => `The tool ${tool} reported an error: ${error}`,
  zh: (tool, error) => `工具 ${tool} 报告错误：${error}`,
};
const MORE: Phrase<[lines: number]> = {
  en: (lines) => `… and ${lines} more ${lines === 1 ? 'line' : 'lines'}.`,
  zh: (lines) => `……另有 ${lines} 行。`,
};
const NO_OUTPUT: DemoText = { en: 'It printed nothing.', zh: '没有输出。' };
const NOTED: DemoText = { en: 'Noted.', zh: '已记下。' };
