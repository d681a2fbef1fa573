MemcpyHtoD,0x00007f7b7dc40800,1024
kernel-1-ctx_0x1.traceg
