/* The two recipes of offloading, as DeepSpeed's documentation and its users write them. */
#pragma once

/* ZeRO-Offload: the shortest recipe that DeepSpeed's docs give. */
static const char zero_offload_recipe[] =
    "{\n"
    "  \"zero_optimization\": {\n"
    "    \"stage\": 2,\n"
    "    \"offload_optimizer\": {\"device\": \"cpu\", \"pin_memory\": true}\n"
    "  }\n"
    "}\n";

/* ZeRO-Infinity: states and weights on NVMe, as people keep it: with comments and commas left. */
static const char zero_infinity_recipe[] =
    "{\n"
    "  // stage 3: the only one with NVMe\n"
    "  \"zero_optimization\": {\n"
    "    \"stage\": 3,\n"
    "    \"offload_optimizer\": {\n"
    "      \"device\": \"nvme\",\n"
    "      \"nvme_path\": \"/local_nvme//scratch#1\", /* no comment inside quotes */\n"
    "      \"pin_memory\": true,\n"
    "      \"buffer_count\": 4,\n"
    "      \"pipeline_read\": true,\n"
    "      \"pipeline_write\": true,  # both ways\n"
    "    },\n"
    "    \"offload_param\": {\n"
    "      \"device\": \"nvme\", \"nvme_path\": \"/local_nvme\", \"pin_memory\": true,\n"
    "      \"buffer_count\": 5, \"buffer_size\": 1e8,\n"
    "    },\n"
    "    \"sub_group_size\": 1e9\n"
    "  },\n"
    "  \"aio\": {\n"
    "    \"block_size\": 1048576, \"queue_depth\": 8, \"intra_op_parallelism\": 1,\n"
    "    \"single_submit\": false, \"overlap_events\": true\n"
    "  },\n"
    "  \"bf16\": {\"enabled\": true},\n"
    "  \"gradient_clipping\": 1.0,\n"
    "  \"gradient_accumulation_steps\": 2,\n"
    "  \"train_micro_batch_size_per_gpu\": \"auto\",\n"
    "}\n";
