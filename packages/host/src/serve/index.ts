export { RpcServer } from './rpc-server.ts';
